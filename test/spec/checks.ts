import type { TestableId } from './sentences.ts'
import type { AdverseWorld, World } from './world.ts'

/** What is done to a running service to see whether sentences hold. */
export type ChecksIn<W extends World, I extends TestableId = TestableId> = Readonly<
  Partial<Record<I, (world: W) => Promise<void>>>
>

/** Of a part of the specification. */
export type Checks<P extends string> = ChecksIn<World, Extract<TestableId, `${P}/${string}`>>

export type AdverseChecks = ChecksIn<AdverseWorld>
