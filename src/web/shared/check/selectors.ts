/** The first four bytes of the hash of each function that the check calls. They spare the page the code to compute them. */
export const selectors = { balanceOf: '0x70a08231', rootAt: '0xeaa38b41', roots: '0xae6dead7' } as const
