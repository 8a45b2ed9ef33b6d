import type { JsonObject, Place } from './place.ts';

/** Gives every parameter the first example of its schema, which tools for people show and tools for calls fill in. */
export function addParameterExamples(root: Place): JsonObject {
  const components = root.child('components');
  const parameters = components
    .child('parameters')
    .entries()
    .map(([name, parameter]) => {
      const [example] = parameter.child('schema').resolved('schemas').child('examples').items();
      return [name, { ...parameter.object(), example: parameter.optional('example')?.value ?? example?.value ?? null }];
    });
  return { ...root.object(), components: { ...components.object(), parameters: Object.fromEntries(parameters) } };
}
