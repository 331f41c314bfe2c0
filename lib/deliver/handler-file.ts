import type { GatehouseConfig, Where } from '../config.ts'

/** The folder with a team's own code: `handlers/<source>/<name>.ts`. */
export const HANDLERS = 'handlers'

/** One file with such code. */
export interface HandlerFile {
  readonly source: string
  readonly name: string
  /** The globs of event types that it is for. */
  readonly on: readonly string[]
  readonly where?: Where
  /** As of a destination. */
  readonly repeats?: 'deliver' | 'hold'
}

/** What a team configures, and its code. */
export interface Team extends GatehouseConfig {
  readonly handlerFiles?: readonly HandlerFile[]
}

/** Its name in the configuration: the part of its path that no other handler has. */
export function handlerPath({ source, name }: Pick<HandlerFile, 'source' | 'name'>): string {
  return `${source}/${name}`
}

/** The name of its destination, which paths of the API contain as one segment. */
export function handlerDestination({ source, name }: Pick<HandlerFile, 'source' | 'name'>): string {
  return `${source}:${name}`
}

/** The names of all destinations of a team, handlers among them. */
export function destinationNames({ destinations = {}, handlerFiles = [] }: Team): ReadonlySet<string> {
  return new Set([...Object.keys(destinations), ...handlerFiles.map(handlerDestination)])
}
