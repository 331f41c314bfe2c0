import type { GatehouseConfig } from '../config.ts'

/** The folder with a team's own code: `handlers/<source>/<name>.ts`. */
export const HANDLERS = 'handlers'

/** One file of it. */
export interface HandlerFile {
  readonly source: string
  readonly name: string
  /** The globs of event types that it is for. */
  readonly on: readonly string[]
}

/** What a team configures, and its code. */
export interface Team extends GatehouseConfig {
  readonly handlerFiles?: readonly HandlerFile[]
}

/** Its name in the configuration, and the part of its path that tells it from others. */
export function handlerPath({ source, name }: Pick<HandlerFile, 'source' | 'name'>): string {
  return `${source}/${name}`
}

/** The name of the destination that it is: a path of the API has it in one segment. */
export function handlerDestination({ source, name }: Pick<HandlerFile, 'source' | 'name'>): string {
  return `${source}:${name}`
}

/** The names of all destinations of a team, handlers among them. */
export function destinationNames({ destinations = {}, handlerFiles = [] }: Team): ReadonlySet<string> {
  return new Set([...Object.keys(destinations), ...handlerFiles.map(handlerDestination)])
}
