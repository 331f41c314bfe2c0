import { afterAll, beforeAll, describe, it } from 'vitest'
import { ADVERSE_CHECKS, CHECKS, HASTY_CHECKS } from './all-checks.ts'
import type { ChecksIn } from './checks.ts'
import type { Profile } from './profiles.ts'
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

/** Tests each sentence of the specification that is about a profile; those about time in the first one only. */
export function inProfile(profile: Profile): void {
  describe(`PROFILE=${profile}`, () => inOneWorld(profile, startWorld, CHECKS))
  describe(`PROFILE=${profile}, with less than it needs`, () => inOneWorld(profile, startAdverseWorld, ADVERSE_CHECKS))
  if (profile !== 'default') return
  describe(`PROFILE=${profile}, with time running fast`, () => inOneWorld(profile, startHastyWorld, HASTY_CHECKS))
}
