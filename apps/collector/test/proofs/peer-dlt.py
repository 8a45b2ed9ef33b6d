"""Loads one window of both series of every vehicle with dlt into Parquet files: peer-dlt.py URL FOLDER json|tables.

`json` keeps arrays of samples as JSON text, `tables` makes a row of each sample, which is dlt's default.
"""

import sys
from datetime import date

import dlt
from dlt.sources.helpers import requests

url, folder, nesting = sys.argv[1:]
headers = {"Brand": "brand_a"}
today = date.today().strftime("%Y%m%d")


def windows(series: str):
    vehicles = requests.get(f"{url}/v1/vehicles/consent", headers=headers).json()["data"]["vehicles"]
    for vehicle in vehicles:
        address = f"{url}/v1/vehicles/{vehicle['vin']}/{series}/data"
        query = {"startDate": today, "endDate": today, "zoneId": "UTC"}
        response = requests.get(address, params=query, headers=headers)
        for trip in response.json()["data"]["trips"]:
            yield {"vin": vehicle["vin"], **trip}


nested = {} if nesting == "tables" else {"max_table_nesting": 0}
resources = [
    dlt.resource(windows(path), name=name, file_format="parquet", **nested)
    for name, path in (("driving", "driving"), ("powertrain", "powertrains"))
]
pipeline = dlt.pipeline("peer", destination=dlt.destinations.filesystem(f"file://{folder}"), pipelines_dir=f"{folder}/state")
print(pipeline.run(resources))
