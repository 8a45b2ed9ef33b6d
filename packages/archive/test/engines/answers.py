"""Answers questions over an archive with Spark: answers.py FOLDER QUESTIONS.json. Prints one JSON line for each: its rows."""

import json
import os
import sys
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path

from pyspark.sql import SparkSession

folder, questions = sys.argv[1:]
os.environ["TZ"] = "UTC"
spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.shuffle.partitions", "4")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")


def plain(value):
    """A value as JSON has it."""
    if isinstance(value, datetime):
        return int(value.replace(tzinfo=timezone.utc).timestamp() * 1000)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    return value


views = (Path(folder) / "views.spark.sql").read_text().replace("LOCATION", folder)
lines = [line for line in views.splitlines() if not line.startswith("--")]
for statement in "\n".join(lines).split(";"):
    if statement.strip():
        spark.sql(statement)
for question in json.loads(Path(questions).read_text()):
    rows = spark.sql(question.replace('"', "`")).collect()
    print(json.dumps([[plain(value) for value in row] for row in rows]), flush=True)
spark.stop()
