import { existsSync } from 'node:fs'
import { type Browser, chromium } from '@playwright/test'
import { chromiumPaths } from './chromium-paths.mjs'

/** The system's Chromium if there is one; otherwise Playwright uses the one it installed. */
const chromiumPath = chromiumPaths.find((path) => existsSync(path))

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export const launchOptions = { ...(chromiumPath && { executablePath: chromiumPath }), args: flags }

export function launchChromium(...more: string[]): Promise<Browser> {
  return chromium.launch({ ...launchOptions, args: [...flags, ...more] })
}
