import { z } from 'zod'

/** Topics of events that go to everyone. All other events are about one user and go to that user's pages only. */
export const publicTopics = ['audit', 'halt', 'round', 'snapshot', 'terms'] as const

const WORDS = `Name topics of this list, separated by commas: ${publicTopics.join(', ')}`

/** What a page asks for when it opens its stream of events. */
export const eventsInput = z.strictObject({
  /** The public topics that the page needs. Without this field it gets all of them. */
  topics: z
    .string(WORDS)
    .transform((text) => (text === '' ? [] : text.split(',')))
    .pipe(z.array(z.enum(publicTopics, WORDS)))
    .optional(),
})
