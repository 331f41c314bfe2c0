import { afterAll, beforeAll, describe, it } from 'vitest'
import { ADVERSE_CHECKS, CHECKS } from './all-checks.ts'
import type { ChecksIn } from './checks.ts'
import { PROFILES, type Profile } from './profiles.ts'
import { SENTENCES, type TestableId } from './sentences.ts'
import { enterWorld, startAdverseWorld, startWorld, type World } from './world.ts'

/** What takes credentials of any kind, of which each profile knows others. */
const OF_EACH_PROFILE = /^(?:1\.3\/|4\.1\/(?:auth-info|admin-secure|user-secure|login)$)/

/** Whether a sentence is tested in a profile: in the first one each that holds there, in the others what differs. */
function isTestedIn(profile: Profile, id: TestableId): boolean {
  const { profiles } = SENTENCES[id]
  if (!profiles.includes(profile)) return false
  return profile === 'default' || profiles.length < PROFILES.length || OF_EACH_PROFILE.test(id)
}

/** One service for all that is tested in the profile; the title of each test is the sentence itself. */
function inOneWorld<W extends World>(profile: Profile, enter: () => Promise<W>, checks: ChecksIn<W>) {
  let world: W
  beforeAll(async () => {
    world = await enter()
  })
  afterAll(() => world.stop())

  for (const [id, check] of Object.entries(checks)) {
    if (isTestedIn(profile, id as TestableId)) it(SENTENCES[id as TestableId].text, () => check(world))
  }
}

/** Tests what the specification says of a profile; the first one stands for all where the profile makes no difference. */
export function inProfile(profile: Profile): void {
  const enter = profile === 'default' ? enterWorld : () => startWorld(profile)
  describe.concurrent(`PROFILE=${profile}`, () => inOneWorld(profile, enter, CHECKS))
}

export function inAdversity(profile: Profile): void {
  const enter = () => startAdverseWorld(profile)
  describe(`PROFILE=${profile}, with less than it needs`, () => inOneWorld(profile, enter, ADVERSE_CHECKS))
}
