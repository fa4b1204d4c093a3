import { clusterPackages, listMissingPackages } from '../../scripts/debian-packages.mjs'

/** One sentence if this machine cannot run a cluster. `npm run cluster` and `npm test` install the packages as root. */
export function describeMissing(): string | undefined {
  const missing = listMissingPackages(clusterPackages)
  return missing.length === 0
    ? undefined
    : `A cluster needs these packages of Debian or Ubuntu: ${missing.join(', ')}. Install them with apt-get, as root.`
}
