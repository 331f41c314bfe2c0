import { freshBundles } from '../../localstack/bundles.ts'

/** One build for all tests: each stack would make its own, at the same time. */
export function setup(): Promise<void> {
  return freshBundles()
}
