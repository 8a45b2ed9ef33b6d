// Rules of this contract that Redocly's own do not know. Each is explained where it is switched on, in redocly.yaml.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { patternLengths } from '../build/pattern-lengths.ts';

const guide = readFileSync(new URL('../guides/contract-extensions.md', import.meta.url), 'utf8');
const documentedExtensions = new Set([...guide.matchAll(/^## (x-[a-z-]+)$/gm)].map((match) => match[1]));

/** Reports when `good` is false, at a member of the node the rule visits. */
function expect(good, ctx, message, key) {
  if (good) return;
  const location = key === undefined ? ctx.location : ctx.location.child([key]);
  ctx.report({ message, location });
}

/** A path's file is named after the path without its braces, which shells expand: a reader finds it without the table of contents. */
function PathFileName() {
  return {
    Paths(paths, ctx) {
      for (const [path, item] of Object.entries(paths)) {
        const file = `paths/${path.slice(1).replaceAll('/', '_').replace(/[{}]/g, '')}.yaml`;
        expect(item.$ref === file, ctx, `${path} must be a reference to ${file}`, path);
      }
    },
  };
}

/** A component is named after its file: Redocly takes the name from it, and a rename in passing would go unseen. */
function ComponentFileName() {
  const place = /^(?:\.\.\/)?(?:components\/)?(?:([a-zA-Z]+)\/)?([^/]+)\.yaml$/;
  return {
    ref(node, ctx) {
      const { $ref } = node;
      if ($ref.endsWith('.md') || /^(paths|webhooks)\//.test($ref) || /^(errors|not-specified|vss)\.yaml$/.test($ref))
        return;
      const [, kind, name] = place.exec($ref) ?? [];
      const pattern = kind === 'securitySchemes' ? /^[a-z][A-Za-z0-9]*$/ : /^[A-Z][A-Za-z0-9]*$/;
      const isNamed = name !== undefined && pattern.test(name);
      expect(isNamed, ctx, `${$ref} does not name a component file of components/`, '$ref');
    },
  };
}

const folder = fileURLToPath(new URL('..', import.meta.url));

/** A component that nothing refers to is a file that the build leaves out: Redocly's rule for unused components never sees it. */
function UsedComponentFile() {
  const used = new Set();
  return {
    ref: (_node, _ctx, { location }) => {
      const file = location?.source.absoluteRef;
      if (file) used.add(file);
    },
    Root: {
      leave(root, ctx) {
        if (root['x-error-catalogue']?.$ref === undefined) return;
        for (const file of globSync('components/**/*.yaml', { cwd: folder }))
          expect(used.has(`${folder}${file}`), ctx, `nothing refers to ${file}`);
      },
    },
  };
}

/** A number without a unit, or a range that is in the schema alone, is lost on readers and on type generators. */
function MeasuredSignal() {
  const check = (schema, description, ctx) => {
    const { minimum, maximum, 'x-unit': unit, 'x-range-unstated': unstated } = schema;
    expect(unit !== undefined, ctx, 'a measured number needs x-unit');
    const isRanged = minimum !== undefined && maximum !== undefined;
    expect(isRanged !== (unstated === true), ctx, 'a measured number needs minimum and maximum, or x-range-unstated');
    const unitWords = typeof unit === 'string' ? `unit ${unit}` : 'unit';
    for (const words of minimum === undefined ? [unitWords] : [unitWords, `range ${minimum} to ${maximum}`]) {
      expect(description?.includes(words), ctx, `the description must say "${words}"`);
    }
  };
  return {
    Schema(schema, ctx) {
      if (schema.type === 'number' && schema.description !== undefined) check(schema, schema.description, ctx);
      if (schema.type === 'array' && schema.items?.type === 'number') check(schema.items, schema.description, ctx);
    },
  };
}

/** Every property is described, and every value that stands alone has an example. */
function DescribedProperty() {
  return {
    SchemaProperties(properties, ctx) {
      for (const [name, property] of Object.entries(properties)) {
        if (property.$ref !== undefined) continue;
        expect(property.description !== undefined, ctx, `${name} needs a description`, name);
        const { properties: members, items, examples } = property;
        const isPlain = !(members ?? items?.properties ?? items?.$ref ?? items?.anyOf);
        expect(!isPlain || examples?.length > 0, ctx, `${name} needs an example`, name);
      }
    },
  };
}

/** The limit of a date range is in words where SDKs and docs show it: in the description of the parameter that it limits. */
function DateRangeInWords() {
  return {
    Operation(operation, ctx) {
      const range = ctx.resolve(operation['x-date-range'] ?? {}).node;
      if (range?.end === undefined) return;
      for (const reference of operation.parameters ?? []) {
        const { node, location } = ctx.resolve(reference);
        const parameter = node ?? reference;
        const words = `at most ${range.maxDays} days after`;
        if (parameter.name === range.end && !parameter.description?.includes(words)) {
          ctx.report({ message: `the description must say "${words}"`, location: location ?? ctx.location });
        }
      }
    },
  };
}

/** An extension means something only to those who can read what it means. */
function DocumentedExtension() {
  return {
    any(node, ctx) {
      if (typeof node !== 'object' || node === null) return;
      for (const key of Object.keys(node)) {
        if (key.startsWith('x-'))
          expect(documentedExtensions.has(key), ctx, `${key} is not explained in guides/contract-extensions.md`, key);
      }
    },
  };
}

/**
 * Keywords that reject values, of which a reader asks who says so. Ranges, units and lists of
 * values are compared with the API by a test. A mark of `default` would make Spectral take the marks for a schema.
 */
const sourced = ['required', 'format', 'pattern', 'minLength', 'maxLength', 'minItems', 'maxItems'];
const sourceForm = /^(interface \d+(\.\d+)?|(assumed|proxy): \S.*|observed \d{4}-\d{2}-\d{2}: \S.*)$/;

/** What rejects a value says where it comes from. */
function SourcedKeyword() {
  const checkForm = (node, ctx) => {
    for (const [aspect, source] of Object.entries(node['x-source'] ?? {})) {
      const message = `${aspect}: x-source must be "interface SECTION", "assumed: WHY", "observed yyyy-MM-dd: WHERE" or "proxy: WHY"`;
      expect(sourceForm.test(source), ctx, message, 'x-source');
    }
  };
  return {
    Schema(schema, ctx) {
      checkForm(schema, ctx);
      const sources = Object.keys(schema['x-source'] ?? {});
      for (const keyword of sources) {
        expect(schema[keyword] !== undefined, ctx, `x-source names ${keyword}, which is not there`, 'x-source');
      }
      // A header says it for all of its schema.
      if (/(^|\/)headers\//.test(`${ctx.location.source.absoluteRef}${ctx.location.pointer}`)) return;
      for (const keyword of sourced) {
        const isSourced = schema[keyword] === undefined || sources.includes(keyword);
        expect(isSourced, ctx, `x-source must say where ${keyword} comes from`, keyword);
      }
    },
    Header(header, ctx) {
      checkForm(header, ctx);
      expect(header['x-source']?.header !== undefined, ctx, 'x-source must say where the header comes from');
    },
  };
}

/** A text has the bounds that follow from its pattern, for tools that read no patterns. */
function BoundedText() {
  return {
    Schema(schema, ctx) {
      const lengths = schema.pattern === undefined ? undefined : patternLengths(schema.pattern);
      if (lengths === undefined) return;
      const [least, most] = lengths;
      const { minLength, maxLength } = schema;
      expect(
        minLength >= least,
        ctx,
        `minLength ${least} follows from the pattern and must stand beside it`,
        'pattern',
      );
      const isBounded = most === Infinity || maxLength <= most;
      expect(isBounded, ctx, `maxLength ${most} follows from the pattern and must stand beside it`, 'pattern');
    },
  };
}

const read = (file) => parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
const { names: catalogueNames, overlay } = read('vss.yaml');
/** Names of the Vehicle Signal Specification: those of its catalogue that are used, and those of the overlay. */
const vssNames = { ...catalogueNames, ...read(overlay) };
const wholeNumbers = { int8: [-128, 127], int16: [-32768, 32767], uint32: [0, 4294967295] };

/** What is wrong about where a schema says that its value goes in the Vehicle Signal Specification; undefined if nothing is. */
function vssProblem(schema) {
  const { path, unit, factor, values, none } = schema['x-vss'];
  if (none !== undefined)
    return /\S/.test(none) && path === undefined ? undefined : 'x-vss has a path or says why there is none';
  const name = vssNames[path];
  if (name?.datatype === undefined) return `x-vss names ${path}, which neither vss.yaml nor ${overlay} has`;
  if (unit !== name.unit) return `the unit of ${path} is ${name.unit ?? 'none'}`;
  const factors = typeof factor === 'object' ? Object.values(factor) : [factor];
  const isMeasured = schema['x-unit'] !== undefined;
  if (isMeasured !== (factor !== undefined)) return 'x-vss needs a factor where there is an x-unit, and nowhere else';
  if (isMeasured && !factors.every((one) => one > 0)) return 'a factor of x-vss must be a number above 0';
  if (isMeasured && (typeof schema['x-unit'] === 'object') !== (typeof factor === 'object'))
    return 'x-vss needs a factor for each unit where x-unit names a property, and one otherwise';
  const [least, most] = wholeNumbers[name.datatype] ?? [name.min ?? -Infinity, name.max ?? Infinity];
  const isInside = (value) => value === undefined || (value >= least && value <= most);
  const bounds = factors.flatMap((one) => [schema.minimum, schema.maximum].map((bound) => bound && bound * one));
  if (isMeasured && !bounds.every(isInside)) return `the range does not fit into ${path}, ${name.datatype}`;
  const unmapped = schema.enum?.find((value) => values?.[value] === undefined);
  if (unmapped !== undefined) return `x-vss has no value for ${unmapped}; null says that VSS has none`;
  const isAllowed = (value) => {
    if (value === null) return true;
    if (name.datatype === 'boolean') return typeof value === 'boolean';
    if (name.datatype === 'string') return name.allowed?.includes(value) ?? typeof value === 'string';
    return Number.isInteger(value) && isInside(value);
  };
  const wrong = Object.values(values ?? {}).find((value) => !isAllowed(value));
  return wrong === undefined ? undefined : `${path}, ${name.datatype}, has no value ${wrong}`;
}

/** Every signal has a name that the field knows: whatever has a unit, and every list of values of a trip. */
function NamedSignal() {
  const expectName = (schema, ctx) =>
    expect(schema['x-vss'] !== undefined, ctx, 'x-vss must say what the signal is in the Vehicle Signal Specification');
  return {
    Schema(schema, ctx) {
      if (schema['x-unit'] !== undefined) expectName(schema, ctx);
      if (schema.type === 'array' && schema.items?.enum !== undefined) expectName(schema.items, ctx);
      if (schema['x-vss'] === undefined) return;
      const problem = vssProblem(schema);
      expect(problem === undefined, ctx, problem, 'x-vss');
    },
  };
}

/** A deprecation without dates is a threat, not a plan. Words, because descriptions reach types, docs and hovers alike. */
function DatedDeprecation() {
  const words = /Deprecated since (\d{4}-\d{2}-\d{2}), stays until (\d{4}-\d{2}-\d{2}) at least; \S/;
  const check = (node, ctx) => {
    const [, since, until] = words.exec(node.description ?? '') ?? [];
    if (node.deprecated !== true) {
      expect(since === undefined, ctx, 'says in words that it is deprecated, but not with "deprecated: true"');
      return;
    }
    const message =
      'the description must say "Deprecated since yyyy-MM-dd, stays until yyyy-MM-dd at least; " and what to do instead';
    expect(since !== undefined && since < until, ctx, message, 'deprecated');
  };
  return { Operation: check, Parameter: check, Schema: check };
}

export default function contractRules() {
  return {
    id: 'contract',
    rules: {
      oas3: {
        'path-file-name': PathFileName,
        'component-file-name': ComponentFileName,
        'used-component-file': UsedComponentFile,
        'measured-signal': MeasuredSignal,
        'described-property': DescribedProperty,
        'documented-extension': DocumentedExtension,
        'date-range-in-words': DateRangeInWords,
        'sourced-keyword': SourcedKeyword,
        'bounded-text': BoundedText,
        'named-signal': NamedSignal,
        'dated-deprecation': DatedDeprecation,
      },
    },
  };
}
