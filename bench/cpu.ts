import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts CPU time in hundredths of a second. */
const TICK_MICROS = 10_000

/** Fields of /proc/<pid>/stat after the name, which is in brackets and may contain spaces. */
function readStat(pid: number | string) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map((at) => Number(fields[at]))
  return {
    parent,
    own: ((user ?? 0) + (system ?? 0)) * TICK_MICROS,
    ended: ((endedUser ?? 0) + (endedSystem ?? 0)) * TICK_MICROS,
  }
}

/** Microseconds of CPU that a process has used, with all its threads. */
export const cpuOf = (pid: number): number => readStat(pid).own

/** Microseconds of CPU that the children of a process used which have ended. */
export const cpuOfEnded = (pid: number): number => readStat(pid).ended

/** Microseconds of CPU that a process and its children have used: PostgreSQL has a child for each connection. */
export function cpuOfFamily(pid: number): number {
  const { own, ended } = readStat(pid)
  const children = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const { parent, own: used } = readStat(name)
      return parent === pid ? [used] : []
    } catch {
      return []
    }
  })
  return children.reduce((sum, used) => sum + used, own + ended)
}
