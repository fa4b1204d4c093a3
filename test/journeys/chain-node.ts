import { execFileSync } from 'node:child_process'

type Process = { pid: number; parent: number; command: string }

/** Freezes the chain node of this run: it accepts calls but does not reply. Returns a function that resumes it. */
export function stopChainNode(): () => void {
  const pids = findNodes()
  if (pids.length === 0) throw new Error('This run has no chain node')
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}

/** Only descendants of this run. Another run on the same machine has its own nodes. */
function findNodes(): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n')
  const all = rows.map((row): Process => {
    const [pid, parent, ...words] = row.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), command: words.join(' ') }
  })
  const childrenOf = (pid: number): Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...childrenOf(child.pid)])
  const isNode = ({ command }: Process) => /anvil .*--chain-id/.test(command) && !command.startsWith('/bin/sh')
  return childrenOf(process.ppid)
    .filter(isNode)
    .map(({ pid }) => pid)
}
