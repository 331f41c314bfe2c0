import { afterAll, beforeAll, describe, it } from 'vitest'
import { ADVERSE_CHECKS, CHECKS, HASTY_CHECKS } from './all-checks.ts'
import type { ChecksIn } from './checks.ts'
import { PROFILES, type Profile } from './profiles.ts'
import { SENTENCES, type TestableId } from './sentences.ts'
import { startAdverseWorld, startHastyWorld, startWorld, type World } from './world.ts'

/** Starts the service once for all that holds in the profile; the title of each test is the sentence itself. */
function inOneWorld<W extends World>(profile: Profile, start: (profile: Profile) => Promise<W>, checks: ChecksIn<W>) {
  let world: W
  beforeAll(async () => {
    world = await start(profile)
  })
  afterAll(() => world.stop())

  for (const [id, check] of Object.entries(checks)) {
    const { text, profiles } = SENTENCES[id as TestableId]
    if (profiles.includes(profile)) it(text, () => check(world))
  }
}

describe.each(PROFILES)('PROFILE=%s', (profile) => {
  inOneWorld(profile, startWorld, CHECKS)
})

describe.each(PROFILES)('PROFILE=%s, with less than it needs', (profile) => {
  inOneWorld(profile, startAdverseWorld, ADVERSE_CHECKS)
})

describe('PROFILE=default, with time running fast', () => {
  inOneWorld('default', startHastyWorld, HASTY_CHECKS)
})
