// Installs the packages in package-lock.json, so that every npm script works on a fresh clone. It is plain JavaScript
// because it runs on whatever Node the machine has. `--with-browser` also installs Chromium for the browser tests, and
// `--with-cluster` what a database cluster needs from Debian, and `--with-debian` what any test needs from it.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromiumPaths } from './chromium-paths.mjs'
import { clusterPackages, installDebianPackages } from './debian-packages.mjs'

process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'))
const STAMP = join('node_modules', '.wellplay-lock')
const NODE_MAJOR_MIN = 24

function fail(message) {
  console.error(`\n${message}\n`)
  process.exit(1)
}

function run(command, args) {
  execFileSync(command, args, { stdio: 'inherit' })
}

function installPackages() {
  const lock = readFileSync('package-lock.json', 'utf8')
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return
  console.log('Installing packages (about half a minute the first time) …')
  try {
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
  } catch {
    fail(
      'npm could not install the packages. Check that the npm registry is reachable, then run the same command again.',
    )
  }
  writeFileSync(STAMP, lock)
}

// npm 10 removes this link when it discards the runtimes of other platforms, so restore it. If no runtime is published
// for this platform, use the machine's own Node, provided it is new enough to run TypeScript.
function linkRuntime() {
  const link = join('node_modules', '.bin', 'node')
  if (existsSync(link)) return
  const pinned = join('node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  mkdirSync(dirname(link), { recursive: true })
  if (existsSync(pinned)) return symlinkSync(join('..', '..', pinned), link)
  if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN)
    fail(
      `On ${process.platform} ${process.arch}, Wellplay needs Node ${NODE_MAJOR_MIN} or newer. You have ${process.version}.`,
    )
  symlinkSync(process.execPath, link)
}

// anvil is not published for every platform. Linux on arm64 then runs the amd64 build under QEMU user emulation.
function installChain() {
  const names = { x64: 'amd64', arm64: 'arm64' }
  const native = join('node_modules', '@foundry-rs', `anvil-${process.platform}-${names[process.arch]}`)
  if (existsSync(native) || process.env.RPC_URL) return
  const platform = `${process.platform} ${process.arch}`
  if (platform !== 'linux arm64') fail(`anvil is not published for ${platform}. Set RPC_URL to your own EVM node.`)
  installAptPackages('qemu-user-static', 'libc6-amd64-cross', 'libgcc-s1-amd64-cross')
  const { version } = JSON.parse(readFileSync(join('node_modules', '@foundry-rs', 'anvil', 'package.json'), 'utf8'))
  const folder = join('.cache', 'anvil-amd64')
  if (existsSync(join(folder, 'package', 'bin', 'anvil'))) return
  mkdirSync(folder, { recursive: true })
  const packed = execFileSync('npm', [
    'pack',
    `@foundry-rs/anvil-linux-amd64@${version}`,
    '--silent',
    '--pack-destination',
    folder,
  ])
  run('tar', ['-xzf', join(folder, packed.toString().trim()), '-C', folder])
}

function installAptPackages(...names) {
  if (existsSync('/usr/bin/dpkg-query')) {
    const known = spawnSync('dpkg-query', ['-s', ...names]).stdout.toString()
    if (known.split('\n').filter((line) => line === 'Status: install ok installed').length === names.length) return
  }
  if (process.getuid?.() !== 0) fail(`Please install these packages first: ${names.join(' ')}`)
  console.log(`Installing ${names.join(', ')} …`)
  run('apt-get', ['update', '-qq'])
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names])
}

function installBrowser() {
  if (chromiumPaths.some((path) => existsSync(path))) return
  try {
    if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) installAptPackages('chromium-headless-shell')
    else run(join('node_modules', '.bin', 'playwright'), ['install', 'chromium'])
  } catch {
    fail('Could not install Chromium. Install it yourself (package "chromium"), then run the same command again.')
  }
}

installPackages()
linkRuntime()
installChain()
if (process.argv.includes('--with-browser')) installBrowser()
if (process.argv.includes('--with-cluster')) installDebianPackages(clusterPackages)
if (process.argv.includes('--with-debian')) installDebianPackages()
