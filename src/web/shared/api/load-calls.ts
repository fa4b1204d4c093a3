/**
 * Loads the schemas, then what calls the API. Each is evaluated in a task of its own, so a slow phone can react to a tap
 * in between. Documents preload both, except the landing page's: it needs neither for its first screen.
 */
export async function loadCalls(): Promise<void> {
  await import('./no-eval.ts')
  await import('./api.ts')
}
