/** Text of `--help`. */
export const usage = `vds-collector: collects the trips of every vehicle of its accounts into an archive

vds-collector start             lists the vehicles, fetches what is missing, and repeats until it is stopped
vds-collector accounts list     accounts, and which of them are paused or parked
vds-collector accounts add NAME --brand BRAND [--token-file FILE]
vds-collector accounts pause|resume NAME
vds-collector accounts remove NAME [--confirm-purge NUMBER]   purges its vehicles first
vds-collector migrate           brings the database to the version of this program, as every command does; for an init step
vds-collector plan              calls, days at the limit and bytes, before anything is fetched
vds-collector status            one screen of what is collected, due, failing and held back
vds-collector purge --vehicle PSEUDONYM   forgets a vehicle for good
vds-collector purge --account NAME --confirm-purge NUMBER   confirms that so many vehicles of an account are gone
vds-collector verify [--sample NUMBER] [--repair]   compares ledger and lake, and reads the files of so many vehicles, or of all
vds-collector receipts list [--vehicle PSEUDONYM]   what was purged
vds-collector receipts verify [FILE] [--public-key FILE]   whether receipts are as they were issued
vds-collector receipts key      the public keys of the receipts

  --lake FOLDER                 the archive, or s3://bucket/prefix (VDS_LAKE)
  --ledger FOLDER               the embedded database (VDS_LEDGER; the folder of the archive with .ledger at its end by default)
  --database-url URL            PostgreSQL in place of the embedded database (VDS_DATABASE_URL, VDS_DATABASE_URL_FILE)
  --s3-endpoint URL             address of an object store beside AWS (VDS_S3_ENDPOINT, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL)
  --s3-path-style true|false    whether the bucket is in the path (VDS_S3_PATH_STYLE; true by default where an address is given)
  --base-url URL                the service or its proxy (VDS_BASE_URL; http://127.0.0.1:8787 by default)
  --brand BRAND                 brand of the one account, where none was added (VDS_BRAND)
  --brands NAMES                brands that the service knows, separated by commas (VDS_BRANDS; those of the contract by default)
  --token-command PROGRAM       prints the access token of an account; called with its name and brand (VDS_TOKEN_COMMAND)
  --account-token-url URL       returns the access token of an account; gets both by POST (VDS_ACCOUNT_TOKEN_URL)
  --token-file FILE             accounts add: the file that holds the access token of the account
  --since DAY                   first day, yyyy-MM-dd (VDS_SINCE; 30 days ago by default)
  --zone ZONE                   time zone of days, for a new archive (VDS_ZONE; UTC by default)
  --concurrency NUMBER          windows that are fetched at a time, 1 to 16 (VDS_CONCURRENCY; 4 by default)
  --max-rate NUMBER             windows that are fetched a second at most, 1 to 1000, of an account, or of an API key at a brand
                                (VDS_MAX_RATE; 20 by default)
  --every MINUTES               how often vehicles are listed and recent windows are fetched again (VDS_EVERY; 60 by default)
  --lease-s NUMBER              when vehicles of a killed process go to another (VDS_LEASE_S; 60 by default)
  --confirm-purge NUMBER        purge although most vehicles no longer share data, if so many are missing
  --port NUMBER                 serves /healthz, /readyz and /metrics (VDS_PORT; off by default)
  --host ADDRESS                where it listens (VDS_HOST; 127.0.0.1 by default)
  --json                        accounts list, plan, status, verify and receipts list: as JSON
  --accept-contract             continue an archive that was written with another contract
  --adopt-lake                  take over a bucket whose ledger is gone
  --once                        end when nothing is due any more
  --help                        show this

The access token of one account is read from VDS_ACCESS_TOKEN, an API key of the proxy from VDS_API_KEY, a bearer token for
VDS_ACCOUNT_TOKEN_URL from VDS_ACCOUNT_TOKEN_SECRET, the key that signs receipts (PEM) from VDS_RECEIPTS_KEY, the key of the pseudonyms of
a bucket from VDS_PSEUDONYM_KEY, or each from a file that a variable with _FILE at its end names. Without a token, the proxy adds its own; keys that are
not given are made and kept in the ledger.
Credentials of a bucket are read from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_REGION, or from such files.
With --port and VDS_EVENTS_SECRET, POST /events receives the events of the proxy; with VDS_CALLBACK_SECRET, POST /callbacks/consent those of
the service. Both only have vehicles listed at once.
`;
