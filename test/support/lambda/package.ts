import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Properties, Resource } from '../../../localstack/stack/resources.ts'
import { enginePackage } from '../engine-package.ts'
import { wholeTemplate } from '../template/joined.ts'
import { unzip } from './unzip.ts'

/** What `serverless package` makes of the service. */
export interface ServicePackage {
  /** The resources of the template that would be deployed, by their logical ids. */
  readonly resources: Readonly<Record<string, Resource>>
  /** By their names in serverless.yml. */
  readonly functions: ReadonlyMap<string, PackagedFunction>
}

/** A function of the template, its zip unpacked. */
export interface PackagedFunction {
  readonly folder: string
  readonly properties: FunctionProperties
}

interface FunctionProperties {
  readonly FunctionName: string
  readonly Handler: string
  readonly MemorySize: number
  readonly Timeout: number
  readonly RecursiveLoop?: string
  readonly Environment: { readonly Variables: Properties }
}

/**
 * Packages the service as a deployment of the stage does.
 * @param settings what the file of the stage has besides
 * @param folder an empty one for zips and what was in them
 * @param project the folder of another copy of the project
 */
export async function packageService(
  stage: string,
  settings: Readonly<Record<string, string>>,
  folder: string,
  project?: string,
): Promise<ServicePackage> {
  const output = join(folder, 'package')
  const stages = join(folder, 'stages')
  mkdirSync(stages)
  writeFileSync(join(stages, `${stage}.yml`), stringify({ data: 'kept', ...settings }))
  const { PATH, HOME } = process.env
  const template = await enginePackage(stage, output, { PATH, HOME, STAGES_DIR: stages }, [], project)
  const { Resources: resources } = wholeTemplate(template)
  const functions = Object.values<Resource>(resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => unpack(Properties as unknown as FunctionProperties, output))
  return { resources, functions: new Map(functions) }
}

function unpack(properties: FunctionProperties, output: string): readonly [string, PackagedFunction] {
  const [name = ''] = properties.FunctionName.split('-').slice(-1)
  const folder = join(output, name)
  unzip(`${folder}.zip`, folder)
  return [name, { folder, properties }]
}
