import { PAGE_SIZE } from '../../protocol/route.ts'

/** The page that a call asks for. */
export type Paging = { page_no?: number | undefined; page_size?: number | undefined }

export function sliceOf({ page_no = 1, page_size = PAGE_SIZE }: Paging) {
  return { page_no, page_size, offset: (page_no - 1) * page_size }
}

/**
 * The page, counted from the nearer end of a list of `total` rows. For lists whose order changes, so that no position
 * can be kept: their last page is then as cheap as their first one.
 */
export function fromNearerEnd({ page_size, offset }: ReturnType<typeof sliceOf>, total: number) {
  const limit = Math.max(0, Math.min(page_size, total - offset))
  const after = Math.max(0, total - offset - limit)
  return after < offset ? { limit, skip: after, fromEnd: true } : { limit, skip: offset, fromEnd: false }
}
