import {
  CloudFormationClient,
  type CloudFormationClientConfig,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation'
import * as z from 'zod/mini'
import type { Destination } from '../lib/deliver/destination.ts'
import { listOf } from '../lib/runtime/settings/values.ts'
import type { StageValues } from './stages.ts'

/** A template's description of its stage, for the deployment after it. */
const description = z.object({
  parameters: z.record(z.string(), z.unknown()),
  destinations: z.array(z.string()),
})

export type StageDescription = z.infer<typeof description>

const template = z.object({ Metadata: z.optional(z.object({ Gatehouse: z.optional(description) })) })

/** The part of the deployment engine with the name of the stack and its AWS credentials. */
export interface RemovalsEngine {
  getProvider(name: 'aws'): {
    readonly naming: { getStackName(): string }
    getAwsSdkV3Config(): Promise<CloudFormationClientConfig>
  }
}

/** The key in the metadata of the template; it holds no secret, since no parameter is one. */
export function describeStage(parameters: StageValues, destinations: readonly Destination[]): StageDescription {
  const given = Object.entries(parameters).filter(([name, value]) => isGiven(value) && name !== 'allowRemoval')
  return { parameters: Object.fromEntries(given), destinations: destinations.map(({ name }) => name) }
}

/** What the deployed stage has and the next deployment would take from it without permission. */
interface Removals {
  /** Names of parameters, settings and destinations; empty if the deployment may continue. */
  readonly taken: readonly string[]
  /** The parameter that permits their removal. */
  readonly permission: string
}

/** @throws Error of the AWS SDK */
async function findRemovals(engine: RemovalsEngine, next: StageDescription, allowRemoval: unknown): Promise<Removals> {
  const before = await deployed(engine, engine.getProvider('aws').naming.getStackName())
  const allowed = listOf(String(allowRemoval ?? ''))
  const taken = before ? takenFrom(before, next).filter((name) => !allowed.includes(name)) : []
  return { taken, permission: `--param allowRemoval=${[...allowed, ...taken].join(',')}` }
}

/**
 * The same as messages for the operator; empty if the deployment may continue.
 * @throws Error of the AWS SDK
 */
export async function refusedRemovals(
  engine: RemovalsEngine,
  next: StageDescription,
  allowRemoval: unknown,
): Promise<readonly string[]> {
  const { taken, permission } = await findRemovals(engine, next, allowRemoval)
  if (taken.length === 0) return []
  return [
    `This deployment takes away what ${engine.getProvider('aws').naming.getStackName()} has:`,
    ...taken.map((name) => `  ${name}`),
    `Set it again, or allow it for this run: ${permission}`,
  ]
}

function takenFrom(before: StageDescription, next: StageDescription): readonly string[] {
  const isKept = ({ parameters }: StageDescription) => parameters['data'] === 'kept'
  return [
    ...Object.keys(before.parameters).filter((name) => !Object.hasOwn(next.parameters, name)),
    ...(isKept(before) && !isKept(next) ? ['data'] : []),
    ...before.destinations.filter((name) => !next.destinations.includes(name)),
  ]
}

function isGiven(value: unknown): boolean {
  return value !== '' && value !== 'false' && value !== undefined && value !== null
}

/** The description in the template of a stack; undefined without a stack, or if its version did not write one. */
async function deployed(engine: RemovalsEngine, StackName: string): Promise<StageDescription | undefined> {
  const client = new CloudFormationClient(await engine.getProvider('aws').getAwsSdkV3Config())
  try {
    const { TemplateBody = '{}' } = await client.send(new GetTemplateCommand({ StackName }))
    return z.parse(template, JSON.parse(TemplateBody)).Metadata?.Gatehouse
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError' && error.message.includes('does not exist')) {
      return undefined
    }
    throw error
  } finally {
    client.destroy()
  }
}
