/** A number that an environment variable can override, such as a count or a seed. */
export const numberFromOutside = (name: string, fallback: number): number => Number(process.env[name] ?? fallback)
