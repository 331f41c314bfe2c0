import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { type Finding, failing, passed } from '../finding.ts'
import { NESTED_STACKS } from '../nested-stacks.ts'
import type { StageDescription } from '../removals.ts'

const FILE = 'cloudformation-template-update-stack.json'

const written = z.object({
  Metadata: z.optional(z.object({ Gatehouse: z.optional(z.unknown()) })),
  Conditions: z._default(z.record(z.string(), z.unknown()), {}),
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Condition: z.optional(z.string()),
      Properties: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
})

type Written = z.infer<typeof written>

interface Packaged {
  readonly finding: Finding
  /** The types that a deployment creates; empty if they are not known. */
  readonly types: ReadonlySet<string>
}

/**
 * What was packaged last.
 * @param next the stage that the deployment would leave
 * @param command what packages it
 * @param folder of the packages
 */
export function checkTemplate(next: StageDescription, command: string, folder = '.serverless'): Packaged {
  const refused = (message: string) => ({
    finding: failing('template', message, `${command}, then this again`),
    types: new Set<string>(),
  })
  const template = read(join(folder, FILE))
  if (template === undefined) return refused(`there is no ${join(folder, FILE)}`)
  const isOfStage = isDeepStrictEqual(template.Metadata?.Gatehouse, JSON.parse(JSON.stringify(next)))
  if (!isOfStage) return refused('what was packaged last is of another stage, or of other parameters')
  const nested = NESTED_STACKS.map(({ file }) => read(join(folder, file)))
  const types = new Set([template, ...nested].flatMap((each) => (each ? typesIn(each) : [])))
  return { finding: passed('template', `packaged, with ${types.size} types of resources`), types }
}

function read(file: string): Written | undefined {
  return existsSync(file) ? z.parse(written, JSON.parse(readFileSync(file, 'utf8'))) : undefined
}

/** The types that are created; a function that joins a network needs rights of its own. */
function typesIn({ Resources: resources, Conditions: conditions }: Written): readonly string[] {
  const made = Object.values(resources).filter(
    ({ Condition: name }) => name === undefined || conditionHolds({ Condition: name }, conditions),
  )
  return made.flatMap(({ Type: type, Properties: properties = {} }) =>
    'VpcConfig' in properties ? [type, `${type}.VpcConfig`] : [type],
  )
}

type Conditions = Readonly<Record<string, unknown>>

/** Whether a condition holds; a condition on something that only AWS knows counts as true. */
export function conditionHolds(condition: unknown, conditions: Conditions): boolean {
  const [[operator, argument] = []] = Object.entries(condition as object)
  const parts = [argument].flat()
  switch (operator) {
    case 'Condition':
      return conditionHolds(conditions[String(argument)] ?? {}, conditions)
    case 'Fn::Not':
      return !conditionHolds(parts[0], conditions)
    case 'Fn::And':
      return parts.every((part) => conditionHolds(part, conditions))
    case 'Fn::Or':
      return parts.some((part) => conditionHolds(part, conditions))
    case 'Fn::Equals':
      return isDeepStrictEqual(parts[0], parts[1])
    default:
      return true
  }
}
