/** Every page of the app, for tests and measurements of all of them. */
export const publicPages = [
  ...['/', '/login/register', '/referral/NOBODY00', '/trust', '/no-such-page'],
  ...['/help', '/play-safely', '/terms', '/privacy', '/goodbye'],
]
export const userPages = [
  ...['home', 'games2', 'quize-game', 'profile', 'referal', 'plans', 're-top-up', 're-top-up-history', 'withdrawal'],
  ...['internal-transfer', 'wallet', 'balance', 'withdrawal-history', 'internal-transfer-history', 'color-game'],
  ...['healthsupport', 'news', 'no-such-page'],
].map((name) => `/user/${name}`)
