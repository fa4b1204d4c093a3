/** A number of a test that may be set from outside: how many operations, which seed. */
export const numberFromOutside = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)
