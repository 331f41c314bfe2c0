import type { RetryPolicy } from '../../lib/webhooks/retry/policy.ts'
import { type Lots, lots } from './lots.ts'
import { anyStory, type Dated, everyState } from './stories.ts'

export interface Wanted {
  readonly events: number
  readonly hours: number
  /** Another seed makes another day. */
  readonly seed: number
  readonly policy: RetryPolicy
}

/** A story with its name and its time. */
export interface DatedStory extends Dated {
  readonly lots: Lots
}

/** The share of activity that many hours ago, from 0 to 1: more by day than by night, whatever the clock says. */
const rhythm = (hours: number) => 0.55 + 0.45 * Math.cos((hours / 24) * 2 * Math.PI)

/** The stories of some hours, with exactly that many webhooks in all. */
export function dayOf({ events, hours, seed, policy }: Wanted): readonly DatedStory[] {
  const all = lots(`${seed}/${events}/${hours}`)
  const stories: DatedStory[] = []
  let left = events

  function tell(dated: Dated, own: Lots): void {
    const steps = dated.story.steps.filter(({ after }) => after <= dated.ago).slice(0, left)
    if (dated.ago > hours * 60 || steps.length === 0) return
    left -= steps.length
    stories.push({ ...dated, story: { ...dated.story, steps }, lots: own })
  }

  for (const [index, dated] of everyState(policy, all).entries()) tell(dated, all.of(`state ${index}`))
  for (let index = 0; left > 0; index++) {
    const own = all.of(`story ${index}`)
    const ago = own.share('ago') * hours * 60
    if (own.share('happens') < rhythm(ago / 60)) tell({ story: anyStory(own), ago }, own)
  }
  return stories
}
