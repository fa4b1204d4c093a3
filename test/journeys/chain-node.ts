import { execFileSync } from 'node:child_process'

type Process = { pid: number; parent: number; command: string }

/** Stops the chain node of this run, as a machine that hangs would: it takes calls and answers none. Returns the way back. */
export function stopChainNode(): () => void {
  const pids = findNodes()
  if (pids.length === 0) throw new Error('this run has no chain node')
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}

/** Only what descends from this run: another one on the same machine has nodes too. */
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
