import { PAGE_SIZE } from '../../protocol/route.ts'

/** The page that a call asks for. */
export type Paging = { page_no?: number | undefined; page_size?: number | undefined }

export function sliceOf({ page_no = 1, page_size = PAGE_SIZE }: Paging) {
  return { page_no, page_size, offset: (page_no - 1) * page_size }
}
