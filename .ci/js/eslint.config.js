"use strict";
const js = require("@eslint/js");

// The scripts of the composer are joined on one page: they share their top level, and what one
// names there another uses. tsc knows these names and finds unknown ones.
const shared = { "no-undef": "off", "no-unused-vars": ["error", { vars: "local" }] };

module.exports = [
  js.configs.recommended,
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "script" },
    rules: {
      ...shared,
      "eqeqeq": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-var": "error",
      "prefer-const": "error",
      "strict": ["error", "global"],
      "no-restricted-properties": ["error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({ property, message: "names come from mails: make elements, and give them text" })),
        ...["localStorage", "sessionStorage"].map((object) => ({ object, message: "the page stores nothing" }))],
      "no-restricted-globals": ["error", "localStorage", "sessionStorage", "indexedDB"],
    },
  },
];
