// The npm registry in use may lack the binaries of some platforms, and `npm ci` then rejects the lockfile
// ("Missing: … from lock file"). A stub entry for each missing optional dependency makes `npm ci` pass everywhere.
import { readFileSync, writeFileSync } from 'node:fs'

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const systems = {
  darwin: 'darwin',
  linux: 'linux',
  win32: 'win32',
  windows: 'win32',
  freebsd: 'freebsd',
  android: 'android',
  openharmony: 'openharmony',
}
const processors = {
  x64: 'x64',
  amd64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'ia32',
  s390x: 's390x',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  loong64: 'loong64',
  wasm32: 'wasm32',
}

function stub(name, version) {
  const words = name.split(/[-/]/)
  const os = words.map((word) => systems[word]).find(Boolean)
  const cpu = words.map((word) => processors[word]).find(Boolean)
  const libc = words.includes('musl') ? 'musl' : words.includes('gnu') ? 'glibc' : undefined
  return { version, optional: true, ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }) }
}

let added = 0
for (const entry of Object.values(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (lock.packages[key]) continue
    lock.packages[key] = stub(name, range.replace(/^[\^~]/, ''))
    added++
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
console.log(`package-lock.json: added ${added} stub entries`)
