import { type Documents, documentClient } from '../adapters/dynamodb/table.ts'
import { PROFILES } from '../auth/profile.ts'
import { loadConfig, optional, text } from '../runtime/config.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import type * as settings from '../runtime/settings/stores.ts'

let opened: Documents | undefined

/** The DynamoDB client of the process: all stores share its connections. */
export function documents(): Documents {
  opened ??= documentClient()
  return opened
}

type TableName = Extract<
  { [K in keyof typeof settings]: keyof (typeof settings)[K] }[keyof typeof settings],
  `${string}_TABLE`
>

/** The name of a table, as the stage has it. @throws ConfigError */
export function tableOf(name: TableName): string {
  return loadConfig({ [name]: text })[name] ?? ''
}

/**
 * The stores of passwords that are asked, in this order: profile `default` uses a directory if one is configured; profile
 * `ldap` requires one. @throws ConfigError
 */
export function passwordStores(): readonly ('database' | 'directory')[] {
  const config = loadConfig({ PROFILE: edgeSettings.PROFILE, LDAP_URL: optional(text) })
  const hasDirectory = config.LDAP_URL !== undefined || config.PROFILE === 'ldap'
  return PROFILES[config.PROFILE].stores.filter((name) => name === 'database' || hasDirectory)
}
