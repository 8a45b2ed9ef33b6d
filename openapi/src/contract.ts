/** One parameter of an operation, as the contract states it. */
export interface ParameterSpec {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  /** True where the contract marks the parameter as going away. */
  readonly deprecated?: boolean;
  readonly description: string;
  /** Name of the component schema that holds the rule. */
  readonly schema: string;
  /** The rule itself: the JSON Schema keywords of that component, without descriptions and examples. */
  readonly rule: ParameterRule;
}

/** The JSON Schema keywords that a parameter rule can have. */
export interface ParameterRule {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly default?: string | number | boolean;
}

/** `x-date-range`: two date parameters and how many days the second may lie after the first. */
export interface DateRangeSpec {
  readonly start: string;
  readonly end: string;
  /** Greatest difference of the two dates, in calendar days. */
  readonly maxDays: number;
}

/** A measured signal: an array of numbers with a unit and, where one is stated, a range. */
export interface NumberSignal {
  readonly kind: 'number';
  readonly unit: string;
  readonly minimum: number | null;
  readonly maximum: number | null;
}

/** A signal with a fixed set of values. */
export interface EnumerationSignal {
  readonly kind: 'enumeration';
  readonly values: readonly string[];
}

/** `x-series`: the response is a list of trips, each with signals sampled over its duration. */
export interface SeriesSpec {
  /** Name under which an SDK offers the series. */
  readonly name: string;
  /** Member of `data` that holds the list. */
  readonly items: string;
  /** Component schema of one item. */
  readonly itemSchema: string;
  /** Member of an item that holds its start time. */
  readonly startTime: string;
  /** Member of an item that holds its duration in milliseconds. */
  readonly duration: string;
  /** Where times of samples come from: the API does not specify them, so that a reader can only assume them. */
  readonly sampleTimes: 'assumed';
  /** Every signal of an item, by its dotted path. */
  readonly signals: Readonly<Record<string, NumberSignal | EnumerationSignal>>;
}

/** The types of names in the COVESA Vehicle Signal Specification that the contract uses. */
export type VssDatatype = 'boolean' | 'string' | 'int8' | 'int16' | 'uint32' | 'float' | 'double';

/** A value of a signal in the COVESA Vehicle Signal Specification. */
export type VssValue = string | number | boolean;

/** `x-vss`: where the samples of a signal go in the COVESA Vehicle Signal Specification. */
export interface VssName {
  /** The name there, or that of the overlay `vehicle-data.vspec`. */
  readonly path: string;
  /** The type of the name. Numbers are rounded where it is that of whole numbers. */
  readonly datatype: VssDatatype;
  readonly unit: string | null;
  /** What a number is multiplied by; null for values of text. */
  readonly factor: number | null;
  /** What each text becomes, null where there is no such value; null for numbers. */
  readonly values: Readonly<Record<string, VssValue | null>> | null;
}

/** Where a single value goes in the COVESA Vehicle Signal Specification. */
export interface VssRecordName extends Omit<VssName, 'factor'> {
  /** What a number is multiplied by, or the factor of each unit that it may have; null for what is not measured. */
  readonly factor: number | Readonly<Record<string, number>> | null;
  /** The dotted path of the unit, where the number has one of several; null otherwise. */
  readonly unitFrom: string | null;
  /** Least and greatest value of the number in the contract; null where it states none. */
  readonly range: readonly [minimum: number, maximum: number] | null;
  /** The value of another member, by its dotted path, without which there is no such value there; null where there is always one. */
  readonly only: Readonly<Record<string, string | number>> | null;
}

/** The names of signals in the COVESA Vehicle Signal Specification, by series and dotted path. */
export interface VssNames {
  /** Version of the catalogue. */
  readonly catalogue: string;
  readonly series: Readonly<Record<string, Readonly<Record<string, VssName>>>>;
  /** The names of the values of a record that a vehicle reported, by operationId and dotted path. */
  readonly records: Readonly<Record<string, Readonly<Record<string, VssRecordName>>>>;
}

/** `x-wide-effect`: leaving out one optional parameter widens what the operation does to everything of its scope. */
export interface WideEffectSpec {
  /** The optional query parameter whose absence widens the effect. */
  readonly parameter: string;
  /** Name that an SDK gives the call with the parameter. */
  readonly narrow: string;
  /** Name that an SDK gives the call without it. */
  readonly wide: string;
  /** Parameter that a client of the wide form repeats as confirmation. */
  readonly confirm: string;
}

/** One operation of the contract. */
export interface OperationSpec {
  readonly operationId: string;
  readonly method: 'GET' | 'DELETE';
  /** Path template, for example `/v1/vehicles/{vin}/locations`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** Whether the call needs a bearer access token, or may carry one. */
  readonly bearer: 'required' | 'optional';
  readonly parameters: readonly ParameterSpec[];
  /** Component schema of the JSON body by HTTP status. */
  readonly responses: Readonly<Record<string, string>>;
  readonly dateRange: DateRangeSpec | null;
  readonly series: SeriesSpec | null;
  readonly wideEffect: WideEffectSpec | null;
  /** `x-measured-at`: member of `data` with the time at which the vehicle sent the data. */
  readonly measuredAt: string | null;
}

/** What a client does next after an error. */
export type Resolution = 'retry' | 'refresh-token' | 'ask-consent' | 'fix-request' | 'fix-credentials' | 'no-data';

/** One entry of the error catalogue (`x-error-catalogue`). */
export interface ErrorEntry {
  readonly code: string;
  readonly message: string;
  /** HTTP status that the code comes with. */
  readonly status: number;
  /** The operationIds of the operations that can return the code. */
  readonly operations: readonly string[];
  /** Stated by the interface, seen on live services and not promised, or a response of the edge proxy. */
  readonly origin: 'interface' | 'observed' | 'proxy';
  readonly resolution: Resolution;
  /** Whether the same call can succeed later without a change on the client's side. */
  readonly temporary: boolean;
  /** Whether a DELETE that got this response may have taken effect all the same. */
  readonly mayHaveTakenEffect: boolean;
  readonly audience: 'developer' | 'operator' | 'owner';
  readonly meaning: string;
  readonly remedy: string;
}
