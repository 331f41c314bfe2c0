import type { Asset } from '../http/asset.ts'
import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { edgeOf } from './edge.ts'

/** JSON, put in by the build. */
declare const CONSOLE_ASSETS: string

const assets: Readonly<Record<string, Asset>> = JSON.parse(CONSOLE_ASSETS)

/** For the files that pages load. */
export const app = {
  ...edgeOf(loadConfig(edgeSettings)),
  assets: new Map(Object.entries(assets)),
}
