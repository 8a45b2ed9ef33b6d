// The words of a question: which of them matter, which forms of a word are one, and which words are near to each other.

/** Words of a question that say nothing about its subject. */
const stopWords = new Set(
  `a about all am an and any are as at be been before by can could did do does doing done for from get gets give got had happen happens
  has have having help how i if in instead into is it its just let like make makes may me mean means might much must my need needs no not
  of off on once one or our out own please put should so some such than that the their them then there these they thing things this those to
  up us use used uses using very via want wants was we were what when where whether which while who whose why will with would you
  your`.split(/\s+/),
);

/** Words that say a little: a page without them may still be meant. */
const lightWords = new Set(
  `again always available back best currently easily else every exactly exist few find first go goes good keep know last left less long look
  many more most never new next now other over people possible really right same see set show simply still tell time try way without work works`.split(
    /\s+/,
  ),
);

/** The words of a query that matter, in lower case; all of them when none does. Those with hyphens are several. */
export function wordsOf(query: string): readonly string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}._'’-]*[#+]*/gu) ?? [];
  const plain = words
    .flatMap((word) => (/\d/.test(word) ? [word] : word.split('-')))
    .map((word) => word.replace(/['’]s?$|[._-]+$/g, ''))
    .filter((word) => word !== 's' && word !== '');
  const kept = plain.filter((word) => !stopWords.has(word));
  return kept.length > 0 ? kept : plain;
}

/** What the forms of an English word have in common: "rotate", "rotates", "rotating" and "rotation" are "rotat". */
export function stemOf(word: string): string {
  let stem = word;
  // British spelling, as far as it is regular.
  if (stem.length > 5)
    stem = stem
      .replace(/our(?=s?$|ed$|ing$|al$)/, 'or')
      .replace(/tre(?=s?$)/, 'ter')
      .replace(/is(?=(?:e[ds]?|ing|ations?)$)/, 'iz');
  if (stem.length > 4) stem = stem.replace(/ies$/, 'y');
  if (stem.length > 3) stem = stem.replace(/(?<=[a-z]{2}(?:ss|sh|ch|x|z))es$/, '').replace(/(?<=[^su])s$/, '');
  if (stem.length > 6) stem = stem.replace(/ly$/, '');
  if (stem.length > 5) stem = stem.replace(/(?:ing|ed)$/, '').replace(/([bdgmnprt])\1$/, '$1');
  if (stem.length > 6) stem = stem.replace(/ations?$/, 'at').replace(/(?:ion|ive|or|ic|al|ment|ure)$/, '');
  if (stem.length > 4) stem = stem.replace(/(?<=[a-z]{3})[ey]$/, '');
  return stem.length > 6 ? stem.replace(/at$/, '') : stem;
}

const lightStems = new Set([...lightWords].map(stemOf));
/** How much a stem counts beside others: less, if it says little. */
export const weightOfWord = (stem: string): number => (lightStems.has(stem) ? 0.4 : 1);

/** Words that are near enough to find each other's pages, beside the other words of the glossary. */
const near =
  `agent assistant ai llm claude chatgpt copilot cursor gemini mcp | authenticate authentication login signin | backup copy |
  car vehicle auto automobile | chart plot graph draw picture visualize diagram | cli command terminal shell vds |
  coordinate gps location position place spot geolocation | crash kill | credential secret token | customer driver owner user person |
  delete erase purge remove forget deletion erasure wipe | deploy host install setup hosting | encrypt seal |
  error exception failure fault problem | event callback notification notify webhook push | example sample tutorial |
  latency performance slow | limit quota throttle maximum max most | minimum min lowest least | mileage odometer kilometer distance |
  mock fake stub simulate sandbox simulator | monitor observability metric telemetry | option setting configuration parameter configure |
  parked parking park | permission consent | query question sql | request call | response reply | schedule cron nightly job daily automatic |
  server backend | store save keep | trip drive journey ride | upgrade update migrate | url address endpoint |
  withdraw withdrew withdrawn revoke cancel unsubscribe unshare optout | id identifier | app application program software |
  begin start first beginner introduction | laptop computer machine local locally | prerequisite requirement need |
  past history previous earlier historic yesterday old former | price cost free pay billing | year annual | month monthly | day daily | week weekly |
  download export | load import ingest | gdpr dsgvo privacy ccpa | swagger openapi specification spec | container docker podman image |
  kubernetes k8s eks gke aks openshift | worker cloudflare edge serverless lambda vercel | excel spreadsheet csv sheet |
  warehouse bigquery snowflake redshift databricks lake | pipeline ci gitlab github jenkins | jest vitest mocha pytest junit test |
  null missing empty absent none | twice duplicate double repeated | wrong invalid bad incorrect malformed | rejected denied forbidden refused blocked |
  tls ssl https certificate | account tenant | alert alarm | trace span tracing opentelemetry | log logging journal | proof receipt evidence |
  customize custom adapt | field signal measurement data-point column | abbreviation acronym term definition glossary meaning |
  release version changelog | block stop ban suspend | retry again repeat reattempt | abort cancel interrupt | health liveness readiness probe |
  volt voltage | temp temperature | seatbelt belt | brake braking deceleration | map leaflet google | automate automation schedule nightly |
  mobile ios android swift kotlin | csharp dotnet .net c# | golang go | js javascript | ts typescript | py python | database db postgres postgresql |
  bucket s3 minio | fleet company | unit measure | support contact help | bug defect issue | license licence | beginning start | folder directory path |
  resume continue | share sharing | ev electric | charge charging soc | width size | dashboard grafana | page website web | screen ui |
  compliance legal law | auditor audit | key apikey | expire expired expiry ended | typescript javascript node | group organization`
    .split('|')
    .map((group) => group.trim().split(/\s+/));

/** By the stem of a word, the words near to it. */
export const nearWords: ReadonlyMap<string, readonly string[]> = new Map(
  near
    .flat()
    .map((word) => [
      stemOf(word),
      near
        .filter((group) => group.some((other) => stemOf(other) === stemOf(word)))
        .flatMap((group) => group.filter((other) => stemOf(other) !== stemOf(word))),
    ]),
);
