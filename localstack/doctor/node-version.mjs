/** As package.json has it: npm scripts work from there on, and bring the project's own. */
const LEAST = [20, 19]

const OWN = 24

/**
 * What is to be done about the node that runs; undefined for one that runs everything.
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
