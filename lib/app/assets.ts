import type { Asset } from '../http/asset.ts'
import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { edgeOf } from './edge.ts'

/** Put in by the build. */
declare const CONSOLE_ASSETS: Readonly<Record<string, Asset>>

/** For the files that pages load. */
export const app = {
  ...edgeOf(loadConfig(edgeSettings)),
  assets: new Map(Object.entries(CONSOLE_ASSETS)),
}
