// Lets the reader of /api/docs send calls that only read. Replies are shown as text, never as HTML.
const theme = localStorage.getItem('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme

const token = readToken()
for (const form of document.querySelectorAll('form')) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })
}

/** The session of the app in this browser, if there is one. */
function readToken() {
  try {
    return JSON.parse(localStorage.getItem('user') ?? '{}')?.token
  } catch {
    return undefined
  }
}

async function send(form) {
  const [button, shown] = [form.querySelector('button'), form.querySelector('pre')]
  button.disabled = true
  shown.hidden = false
  shown.textContent = 'Waiting for the reply…'
  try {
    const reply = await fetch(...requestOf(form))
    shown.textContent = `${reply.status} ${reply.statusText}\n\n${prettyText(await reply.text())}`
  } catch {
    shown.textContent = 'No answer from the server. Check your connection and try again.'
  } finally {
    button.disabled = false
  }
}

function requestOf({ dataset: { method, path }, elements }) {
  const fields = [...elements].filter(({ dataset }) => dataset.in)
  const within = (place) => fields.filter(({ dataset, value }) => dataset.in === place && value !== '')
  const filled = within('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const query = new URLSearchParams(within('query').map(({ name, value }) => [name, value])).toString()
  const [body] = within('body')
  const headers = { ...(token && { Token: token }), ...(body && { 'content-type': 'application/json' }) }
  return [query ? `${filled}?${query}` : filled, { method, headers, ...(body && { body: body.value }) }]
}

function prettyText(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
