/** The places of the frame's parts, for the app and for the document that is shown until the app has loaded. */
export const headerClass = 'fixed inset-x-0 top-0 z-30 border-line/70 border-b bg-ground/95 backdrop-blur-md @container'
export const headerRowClass = 'flex h-16 items-center gap-1 px-2 sm:px-4'
export const headerLogoClass = 'flex rounded-xl px-1.5 py-1 [&_.font-display]:@max-[640px]:sr-only'
export const contentClass = 'mx-auto min-h-dvh max-w-[1120px] px-4 pt-22 pb-12 sm:px-6 wide:px-8 wide:pt-24 wide:pb-16'
