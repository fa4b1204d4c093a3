/** Where Chromium may be installed. The headless shell comes first: it starts and renders in two thirds of the time. */
export const chromiumPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
