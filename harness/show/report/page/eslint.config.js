import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import { fileURLToPath } from 'node:url';
import typescript from 'typescript-eslint';

export default defineConfig(
    { ignores: ['dist/'] },
    js.configs.recommended,
    typescript.configs.strictTypeChecked,
    {
        languageOptions: {
            parserOptions: { projectService: true, tsconfigRootDir: fileURLToPath(new URL('.', import.meta.url)) },
        },
        rules: {
            'no-undef': 'off', // the compiler sees it
            // This page mostly formats numbers as text.
            '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
            '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
            // Indices of typed arrays are known to be within the length.
            '@typescript-eslint/no-non-null-assertion': 'off',
        },
    },
);
