import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FILLED_IN, SETTINGS, TOLD } from '../../../infra/description/settings.ts'

describe('docs/settings.md', () => {
  it('describes each setting once', () => {
    const told = [...TOLD.flatMap(({ names }) => names), ...FILLED_IN]
    expect(told.sort()).toEqual(Object.keys(SETTINGS).sort())
  })

  it.each(globSync('lib/runtime/settings/*.ts'))('knows the settings of %s', async (file) => {
    const exported: object = await import(resolve(file))
    const groups = Object.entries(exported).filter(([name]) => name.endsWith('Settings'))
    const names = groups.flatMap(([, settings]) => Object.keys(settings))
    expect(names.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([])
  })
})
