/** The Wellness Score in percent. Everybody starts here, until they log their first activity. */
export const WELLNESS_SCORE_START = 65
export const WELLNESS_SCORE_DAYS = 7

/**
 * The average of the last seven days' rings, in whole percent. Each day is the filled share of its rings, from 0 to 1.
 * `before` are the six days before today; a day before the first logged activity is undefined and counts as the start.
 * Today begins at the average of those six days and can only raise the score, so it does not drop at midnight.
 */
export function wellnessScoreOf(before: readonly (number | undefined)[], today: number): number {
  const shares = before.map((share) => share ?? WELLNESS_SCORE_START / 100)
  const average = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const score = average + ((1 - average) * today) / WELLNESS_SCORE_DAYS
  return Math.round(score * 100)
}
