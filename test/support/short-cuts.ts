import manifest from '../../package.json' with { type: 'json' }

/** For a shell: `npm run` and `npx` find what they find, without the time that npm takes for it. */
export const SHORT_CUTS = [
  'npx() { local name=$(basename "$1"); shift; "$name" "$@"; }',
  'gatehouse() { node localstack/gatehouse.mjs "$@"; }',
  'npm() { shift; if [ "$1" = --silent ]; then shift; fi; local name="$1"; shift 2 || shift; "run-$name" "$@"; }',
  ...Object.entries(manifest.scripts).map(([name, script]) => `run-${name}() ( ${script} "$@" )`),
].join('\n')
