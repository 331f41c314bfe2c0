/** As in package.json: from this version on npm scripts work, and they bring the project's own Node. */
const LEAST = [20, 19]

const OWN = 24

/**
 * The remedy for the running Node version; undefined if it runs everything.
 * @param {string} version as `process.version`
 * @returns {string | undefined}
 */
export function nodeRemedy(version) {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = LEAST
  if (major >= OWN) return undefined
  const isEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor)
  return isEnough
    ? `run it through npm once npm start has brought the project's own Node.js ${OWN}`
    : `install Node.js ${LEAST.join('.')} or newer, https://nodejs.org/en/download`
}
