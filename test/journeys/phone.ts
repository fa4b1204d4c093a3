/** A phone's window and touch. The service worker is off, so that each page comes from the server. */
export const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  serviceWorkers: 'block',
} as const
