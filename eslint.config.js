import { existsSync } from 'node:fs';
import tseslint from 'typescript-eslint';

// The browser tests' types come with packages of their own, which `npm run test:browser` installs.
const withoutTypes = existsSync('test/browser/node_modules') ? [] : ['test/browser/'];

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'dist-bench/',
      'coverage/',
      'data/',
      'sdk/src/generated/',
      'sdk/dist/',
      ...withoutTypes,
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/config.ts', 'src/cli/settings.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only src/config.ts and src/cli/settings.ts read the environment.',
        },
      ],
    },
  },
);
