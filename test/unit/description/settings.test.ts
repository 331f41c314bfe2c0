import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SETTINGS } from '../../../infra/settings.ts'

describe('infra/settings.ts', () => {
  it.each(globSync('lib/runtime/settings/*.ts'))('knows the settings of %s', async (file) => {
    const exported: object = await import(resolve(file))
    const groups = Object.entries(exported).filter(([name]) => name.endsWith('Settings'))
    const names = groups.flatMap(([, settings]) => Object.keys(settings))
    expect(names.filter((name) => !SETTINGS.includes(name))).toEqual([])
  })
})
