/** A whole number with thousands separators. `toLocaleString` would load the browser's tables of languages: 20 ms. */
export const figureText = (whole: number | bigint | string): string => String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
