import { type Finding, failing, passed, warn } from '../../infra/finding.ts'
import { nodeRemedy } from './node-version.mjs'

/** @param version as `process.version` */
export function checkNode(version: string): Finding {
  const remedy = nodeRemedy(version)
  return remedy === undefined ? passed('Node.js', version) : failing('Node.js', `${version} is too old`, remedy)
}

/** @param version undefined if npm is not installed */
export function checkNpm(version: string | undefined): Finding {
  return version === undefined
    ? failing('npm', 'not found', 'install the npm that comes with Node.js')
    : passed('npm', version)
}

/** The lockfile that the packages were installed from, and the current one. */
export interface Lockfiles {
  readonly installed: string | undefined
  readonly wanted: string
}

export function checkPackages({ installed, wanted }: Lockfiles): Finding {
  return installed === wanted
    ? passed('packages', 'as in package-lock.json')
    : warn('packages', 'not those of package-lock.json', 'npm start installs them')
}
