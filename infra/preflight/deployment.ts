import type { Destination } from '../../lib/deliver/destination.ts'
import type { StageValues } from '../stages.ts'

/** Who deploys. */
export interface Deployer {
  readonly account: string
  readonly arn: string
}

/** What a caller would deploy, and where. */
export interface Deployment {
  readonly stage: string
  readonly parameters: StageValues
  readonly destinations: readonly Destination[]
  readonly region: string
  readonly caller: Deployer
}
