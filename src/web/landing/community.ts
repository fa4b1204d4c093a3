import '../shared/api/no-eval.ts'
import { wellness } from '../../protocol/wellness.ts'
import { call } from '../shared/api/api.ts'

/** Loaded after the page, because the schemas must not delay the first screen. */
export const readCommunity = async () => (await call(wellness.community, {})).data
