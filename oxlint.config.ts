import { defineConfig } from 'oxlint'
import { floors } from './scripts/house/floors.ts'

/** The arrows of docs/ARCHITECTURE.md. Each room names what it must not reach. */
function forbid(group: string[], message: string) {
  return ['error', { patterns: [{ group, message }] }] as ['error', object]
}

/** What client/ must not reach, by relative path: the SDK of the agents has a folder `server` too. */
const otherRooms = '^\\.\\./.*\\b(engine|server|web|sandbox|scripts)/'

const floorRules = floors.map((floor, index) => ({
  files: [`server/${floor}/**`],
  rules: {
    'no-restricted-imports': forbid(
      [
        ...floors.slice(index + 1).map((above) => `**/server/${above}/**`),
        ...floors.slice(index + 1).map((above) => `../${above}/**`),
        '**/sandbox/**',
        '**/web/**',
        ...(floor === 'process' ? [] : ['**/server/app.ts', '../app.ts', '../tasks.ts']),
      ],
      `server/${floor} imports only what lies below it: ${floors.slice(0, index).join(' < ')}.`,
    ),
  },
}))

export default defineConfig({
  // The linter reads the types anyway: it reports the compiler's errors with its own.
  options: { typeAware: true, typeCheck: true },
  plugins: ['typescript', 'import', 'react', 'jsx-a11y', 'unicorn', 'promise'],
  categories: { correctness: 'error', suspicious: 'error' },
  env: { node: true, browser: true, es2024: true },
  ignorePatterns: ['dist', 'data', 'node_modules'],
  rules: {
    // A type counts too: files that need each other's types are one file, or lack a third.
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/consistent-type-imports': 'error',
    'no-console': 'error',
    'react/react-in-jsx-scope': 'off',
    'import/no-unassigned-import': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'no-unmodified-loop-condition': 'off',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'typescript/consistent-return': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'import/no-named-as-default-member': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'unicorn/no-useless-spread': 'off',
  },
  overrides: [
    {
      files: ['domain/**'],
      rules: {
        'no-restricted-imports': forbid(
          [
            'node:*',
            '**/contract/**',
            '**/engine/**',
            '**/server/**',
            '**/client/**',
            '**/web/**',
            '**/sandbox/**',
            '**/scripts/**',
          ],
          'domain/ is a leaf: rules about values, no input or output, nothing of the wire.',
        ),
      },
    },
    { files: ['domain/**/*.test.ts'], rules: { 'no-restricted-imports': 'off' } },
    {
      files: ['contract/**'],
      rules: {
        'no-restricted-imports': forbid(
          [
            'node:*',
            '**/engine/**',
            '**/server/**',
            '**/client/**',
            '**/web/**',
            '**/sandbox/**',
            '**/scripts/**',
          ],
          'contract/ imports domain/ only: no input or output.',
        ),
      },
    },
    { files: ['contract/**/*.test.ts'], rules: { 'no-restricted-imports': 'off' } },
    {
      files: ['client/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              { regex: otherRooms, message: 'client/ imports contract/ and domain/ only.' },
            ],
          },
        ],
      },
    },
    {
      // Runs in browsers too.
      files: ['client/*.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              { regex: `${otherRooms}|^node:`, message: 'The core of client/ knows no Node.' },
            ],
          },
        ],
      },
    },
    {
      files: ['client/**/*.test.ts', 'client/files.ts'],
      rules: { 'no-restricted-imports': 'off' },
    },
    {
      files: ['engine/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['**/server/**', '**/web/**', '**/sandbox/**'],
                message: 'engine/ knows no user, money or HTTP.',
              },
              {
                group: ['onnxruntime-node'],
                message:
                  'Take it from engine/models/onnx.ts, which keeps it from reporting to its makers.',
              },
            ],
          },
        ],
      },
    },
    {
      files: ['engine/models/onnx.ts'],
      rules: {
        'no-restricted-imports': forbid(
          ['**/server/**', '**/web/**', '**/sandbox/**'],
          'engine/ knows no user, money or HTTP.',
        ),
      },
    },
    {
      files: ['server/**'],
      rules: {
        'no-restricted-imports': forbid(
          ['**/web/**', '**/sandbox/**'],
          'server/ imports contract/, domain/ and engine/ only.',
        ),
      },
    },
    ...floorRules,
    // A test may start the whole house.
    { files: ['server/**/*.test.ts'], rules: { 'no-restricted-imports': 'off' } },
    {
      files: ['server/{app,authenticate,tasks}.ts'],
      rules: {
        'no-restricted-imports': forbid(
          ['**/web/**', '**/sandbox/**'],
          'server/ imports contract/, domain/ and engine/ only.',
        ),
      },
    },
    {
      files: ['sandbox/**'],
      rules: {
        'no-restricted-imports': forbid(
          ['**/contract/**', '**/domain/**', '**/engine/**', '**/server/**', '**/web/**'],
          'sandbox/ is the outside world: it imports nothing of ours.',
        ),
      },
    },
    {
      files: ['web/**'],
      rules: {
        'no-restricted-imports': forbid(
          ['node:*', '**/engine/**', '**/server/**', '**/sandbox/**'],
          'web/ imports contract/, domain/ and client/ only.',
        ),
        // Regions that scroll must take the keyboard (WCAG 2.1.1), and a native checkbox that
        // says `switch` carries its own state; axe checks the rest on the rendered page.
        'jsx-a11y/no-noninteractive-tabindex': 'off',
        'jsx-a11y/no-noninteractive-element-interactions': 'off',
        'jsx-a11y/prefer-tag-over-role': 'off',
        'jsx-a11y/role-has-required-aria-props': 'off',
        'react/no-unstable-nested-components': ['error', { allowAsProps: true }],
      },
    },
    {
      files: ['web/features/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['node:*', '**/engine/**', '**/server/**', '**/sandbox/**', '**/screens/**'],
                message: 'A feature imports ui/, contract/ and domain/, never a screen.',
              },
              { regex: '^\\.\\./[^.]', message: 'A feature never imports another feature.' },
            ],
          },
        ],
      },
    },
    {
      files: ['web/features/{results,cuts,library}/*/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['node:*', '**/engine/**', '**/server/**', '**/sandbox/**', '**/screens/**'],
                message: 'A feature imports ui/, contract/ and domain/, never a screen.',
              },
              {
                regex: '^\\.\\./\\.\\./[^.]',
                message: 'A feature never imports another feature.',
              },
            ],
          },
        ],
      },
    },
    {
      files: ['web/ui/**'],
      rules: {
        'no-restricted-imports': forbid(
          [
            'node:*',
            '**/engine/**',
            '**/server/**',
            '**/sandbox/**',
            '**/screens/**',
            '**/features/**',
          ],
          'web/ui/ knows no product word.',
        ),
      },
    },
    {
      files: [
        'scripts/**',
        'lab/**',
        'server/process/operator.ts',
        'engine/*-command.ts',
        'test/**',
        '**/*.test.ts',
        'sandbox/**',
      ],
      rules: { 'no-console': 'off' },
    },
    {
      files: ['**/*.test.ts', 'test/**'],
      rules: { 'typescript/no-floating-promises': 'off' },
    },
    {
      files: ['web/**/*.test.ts'],
      rules: { 'no-restricted-imports': 'off' },
    },
  ],
})
