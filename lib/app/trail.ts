import type { LoginTrail } from '../auth/login-trail.ts'
import type { Environment } from '../runtime/config.ts'
import type { Trail } from '../trail/entry.ts'

/** The audit trail of this process. Its code is loaded, and its chain begun, for the first line. */
export function trailOf(environment?: Environment): Trail {
  return { record: async (entry) => (await open(environment)).trail.record(entry) }
}

/** The same for logins, which do not depend on it. */
export function loginTrailOf(environment?: Environment): LoginTrail {
  async function write(line: (logins: LoginTrail) => Promise<void>): Promise<void> {
    const opened = await open(environment).catch(() => undefined)
    await (opened && line(opened.logins))
  }

  return {
    accepted: (...login) => write((logins) => logins.accepted(...login)),
    refused: (...login) => write((logins) => logins.refused(...login)),
    ended: (...login) => write((logins) => logins.ended(...login)),
  }
}

async function open(environment?: Environment) {
  const { openTrail } = await import('./open-trail.ts')
  return openTrail(environment)
}
