import { expect, test } from 'vitest';
import { changesetFile, touchedPackages } from '../src/changeset-answers.ts';

const answers = {
  packages: ['@vehicle-data/client'],
  breaks: false,
  adds: false,
  text: 'The client waits for Retry-After.',
};

test('what stops working asks for a major release, what is new for a minor, all else for a patch', () => {
  expect(changesetFile({ ...answers, breaks: true }).content).toContain("'@vehicle-data/client': major\n");
  expect(changesetFile({ ...answers, adds: true }).content).toContain("'@vehicle-data/client': minor\n");
  expect(changesetFile(answers)).toEqual({
    name: 'the-client-waits-for-retry-after.md',
    content: "---\n'@vehicle-data/client': patch\n---\n\nThe client waits for Retry-After.\n",
  });
});

test('a changeset without a package or without words for a user is refused', () => {
  expect(() => changesetFile({ ...answers, packages: [] })).toThrow('at least one package');
  expect(() => changesetFile({ ...answers, text: 'fix' })).toThrow('says what changes for a user');
});

test('the packages of changed files are proposed; a changed test is no change for users', () => {
  const packages = [
    { path: 'openapi', manifest: { name: '@vehicle-data/openapi' } },
    { path: 'packages/client', manifest: { name: '@vehicle-data/client' } },
  ];
  const files = ['openapi/paths/a.yaml', 'packages/client/test/a.test.ts', 'README.md'];
  expect(touchedPackages(files, packages)).toEqual(['@vehicle-data/openapi']);
});
