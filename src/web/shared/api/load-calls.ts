/**
 * Loads the library for schemas, then schemas, then what calls the API. Each is evaluated in a task of its own, so a slow
 * phone can react to a tap in between. Documents preload them, except the landing page's: it needs none for its first
 * screen.
 */
export async function loadCalls(): Promise<void> {
  await import('./no-eval.ts')
  // Its chunk also holds the components that pages share.
  await import('../../../protocol/money.ts')
  await import('../../../protocol/plans.ts')
  await import('../../../protocol/balance.ts')
  await import('./api.ts')
}
